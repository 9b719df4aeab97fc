import { errorTable } from '../../../kernel/http/index.ts';

export const dbfsErrors = errorTable({
  MAX_BLOCK_SIZE_EXCEEDED: [400, 'The block of {size} bytes is larger than {most} bytes, the maximum for one call.'],
  MAX_READ_SIZE_EXCEEDED: [400, 'The length {length} is more than {most} bytes, the maximum for one call.'],
  IO_ERROR: [400, '{reason}'],
  RESOURCE_ALREADY_EXISTS: [400, 'A file or directory already exists at the path {path}.'],
  RESOURCE_ALREADY_EXISTS__File: [400, 'Cannot create the directory {path} because {file} is an existing file.'],
  RESOURCE_DOES_NOT_EXIST: [404, 'No file or directory exists on path {path}.'],
  RESOURCE_DOES_NOT_EXIST__Handle: [
    404,
    'No stream with handle {handle} is open: it never existed, was closed, or was idle for too long.',
  ],
});
