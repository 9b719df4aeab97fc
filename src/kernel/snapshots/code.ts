/** Code that few jars need, as one module that is loaded when snapshots are first used. */
export { compareContents } from './compare/index.ts';
export { fileOf } from './file.ts';
export { importFile } from './import.ts';
export { restore } from './restore.ts';
export { save } from './save.ts';
export { restoreSeed } from './seed.ts';
export { encryptedFile, portableFile } from './travelling-file.ts';
