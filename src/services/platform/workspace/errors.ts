import { errorTable } from '../../../kernel/http/index.ts';

/** Clients match these texts to decide whether to create directories, or ask to overwrite. */
export const workspaceErrors = errorTable({
  RESOURCE_DOES_NOT_EXIST: [404, "Path ({path}) doesn't exist."],
  RESOURCE_DOES_NOT_EXIST__Parent: [404, 'The parent folder ({path}) does not exist.'],
  RESOURCE_ALREADY_EXISTS: [400, 'Path ({path}) already exists.'],
  RESOURCE_ALREADY_EXISTS__File: [409, 'File already exists at ({path}).'],
  DIRECTORY_NOT_EMPTY: [400, 'Folder ({path}) is not empty'],
  DIRECTORY_PROTECTED: [400, 'Folder ({path}) is protected and cannot be deleted.'],
  MAX_NOTEBOOK_SIZE_EXCEEDED: [400, 'The size of {what} exceeds the maximum of {most} bytes.'],
});
