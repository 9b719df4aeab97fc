/** What few jars ever need, as one part that is loaded with the first use of a snapshot. */
export { fileOf } from './file.ts';
export { importFile } from './import.ts';
export { restore } from './restore.ts';
export { save } from './save.ts';
export { restoreSeed } from './seed.ts';
export { encryptedFile, portableFile } from './travelling-file.ts';
