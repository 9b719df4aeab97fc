import { isObject } from '../../../kernel/values/index.ts';
import { flag, list, mistake, object, type Read, readOnly, text } from '../api/fields.ts';

/** Validates a folder that a client sent. */

const LONGEST_NAME = 255;
const MOST_SOURCES = 100;

const displayName: Read<string> = (value, at) => {
  const name = text({ longest: LONGEST_NAME })(value, at).trim();
  if (name === '') throw mistake(at, 'a folder needs a name');
  if (/\p{Cc}/u.test(name)) throw mistake(at, 'control characters are not allowed');
  return name;
};

/** Read-only properties of a folder. */
export const FOLDER_OWN_NAMES = [
  'id',
  'parentFolderId',
  'childFolderCount',
  'unreadItemCount',
  'totalItemCount',
  'wellKnownName',
  'isSupported',
] as const;

const PLAIN = {
  displayName,
  isHidden: flag,
  ...readOnly(FOLDER_OWN_NAMES),
};

const SEARCH = {
  ...PLAIN,
  filterQuery: text({ longest: 4000 }),
  sourceFolderIds: list(text({ longest: 1000 }), MOST_SOURCES),
  includeNestedFolders: flag,
};

const plainFolder = object('mailFolder', PLAIN);
const searchFolder = object('mailSearchFolder', SEARCH);

export type FolderInput = ReturnType<typeof searchFolder>;

export interface ReadFolder {
  readonly input: FolderInput;
  /** True if the body names the type of search folders. */
  readonly isSearch: boolean;
}

/** Validates a new folder. Properties of search folders are allowed only if the body names that type. */
export function readFolder(body: unknown): ReadFolder {
  const isSearch = isSearchBody(body);
  return { input: (isSearch ? searchFolder : plainFolder)(body, ''), isSearch };
}

/** Validates a change of a folder. Whether it is a search folder is known only when it is found. */
export const readFolderChange = (body: unknown): FolderInput => searchFolder(body, '');

function isSearchBody(body: unknown): boolean {
  const type = isObject(body) ? body['@odata.type'] : undefined;
  return typeof type === 'string' && /^#?(?:microsoft|vendor)\.graph\.mailSearchFolder$/i.test(type);
}
