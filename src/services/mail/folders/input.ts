import { isObject } from '../../../kernel/values/index.ts';
import { flag, list, mistake, object, type Read, readOnly, text } from '../api/fields.ts';

/** A folder as clients send it. */

const LONGEST_NAME = 255;
const MOST_SOURCES = 100;

const displayName: Read<string> = (value, at) => {
  const name = text({ longest: LONGEST_NAME })(value, at).trim();
  if (name === '') throw mistake(at, 'a folder needs a name');
  if (/\p{Cc}/u.test(name)) throw mistake(at, 'control characters are not allowed');
  return name;
};

/** Properties of a folder that clients read and never write. */
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
  /** The body names the type of search folders. */
  readonly isSearch: boolean;
}

/** A new folder: properties of search folders belong to a body that says that it is one. */
export function readFolder(body: unknown): ReadFolder {
  const isSearch = isSearchBody(body);
  return { input: (isSearch ? searchFolder : plainFolder)(body, ''), isSearch };
}

/** A changed folder: whether it is a search folder is known once it is found. */
export const readFolderChange = (body: unknown): FolderInput => searchFolder(body, '');

function isSearchBody(body: unknown): boolean {
  const type = isObject(body) ? body['@odata.type'] : undefined;
  return typeof type === 'string' && /^#?(?:microsoft|vendor)\.graph\.mailSearchFolder$/i.test(type);
}
