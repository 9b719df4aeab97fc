import { errorTable } from '../../../kernel/http/index.ts';

export const filesErrors = errorTable({
  NOT_FOUND: [404, 'The file being accessed is not found: {path}'],
  NOT_FOUND__Directory: [404, 'The directory being accessed is not found: {path}'],
  NOT_FOUND__Upload: [404, 'The upload session is not found. It was completed, aborted, or has expired.'],
  ALREADY_EXISTS: [409, 'The file being created already exists: {path}'],
  ALREADY_EXISTS__Directory: [409, 'A directory has the path of the file: {path}'],
  ALREADY_EXISTS__File: [409, 'A file has the path of a directory: {path}'],
  FILES_API_DIRECTORY_IS_NOT_EMPTY: [400, 'The directory is not empty: {path}'],
  FILES_API_FILE_SIZE_EXCEEDED: [400, 'A file can have at most {most} bytes.'],
  PRECONDITION_FAILED: [412, 'The file was modified at {modified}, after the time of If-Unmodified-Since.'],
  RANGE_NOT_SATISFIABLE: [416, 'The file has {size} bytes; the range {range} is beyond its end.'],
  PERMISSION_DENIED: [403, 'The link is not valid, or has expired.'],
});
