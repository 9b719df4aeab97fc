import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { CliError } from '../errors.ts';
import type { FoundJar } from '../find-jar.ts';
import { download, reasonOf } from '../transfer.ts';
import type { AttachmentAnswer } from './answers.ts';

/** Maximum length of a file name in characters: file systems allow 255 bytes. */
const LONGEST_NAME = 60;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what has to go.
const UNSAFE = /[\u0000-\u001f\u007f/\\:*?"<>|]/g;
/** On Windows these names are devices in every folder. */
const DEVICE = /^(con|prn|aux|nul|com\d|lpt\d)(?=\.|$)/i;

/** Writes the attachments of a message into a folder, and returns the files. Links have no content and are skipped. */
export async function saveAttachments(
  jar: FoundJar,
  path: string,
  attachments: readonly AttachmentAnswer[],
  folder: string,
): Promise<readonly string[]> {
  try {
    await mkdir(folder, { recursive: true });
  } catch (error) {
    throw new CliError(`${folder} cannot be made: ${reasonOf(error)}`, 1, { cause: error });
  }
  const files: string[] = [];
  const taken = new Set<string>();
  for (const { id, name, size, kind } of attachments) {
    if (kind === 'reference') continue;
    const file = join(folder, freeName(fileName(name), taken));
    await download(jar, `${path}/attachments/${encodeURIComponent(id)}`, file, size, process.stderr);
    files.push(file);
  }
  return files;
}

/** The sender chooses the names: a name must not lead out of the folder, hide the file or be a device name. */
export function fileName(name: string): string {
  const safe = name
    .normalize('NFC')
    .replace(UNSAFE, '_')
    .replace(/^\.+/, '_')
    .replace(/[. ]+$/, '')
    .trim();
  const [, stem = '', ending = ''] = /^(.*?)(\.[^.]{1,15})?$/u.exec(safe) ?? [];
  const short = [...stem].slice(0, LONGEST_NAME - ending.length).join('');
  return `${short || 'attachment'}${ending}`.replace(DEVICE, '_$1');
}

/** Attachments may share a name, and some file systems are case-insensitive. */
function freeName(name: string, taken: Set<string>): string {
  const [, stem = '', ending = ''] = /^(.+?)(\.[^.]+)?$/u.exec(name) ?? [];
  let free = name;
  for (let i = 2; taken.has(free.toLowerCase()); i++) free = `${stem}-${i}${ending}`;
  taken.add(free.toLowerCase());
  return free;
}
