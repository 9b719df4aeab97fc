import { statSync } from 'node:fs';

export function existingFile(path: string): string | undefined {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ? path : undefined;
}
