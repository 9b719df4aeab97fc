/** The databases of the running test file. */
const used: string[] = [];

/** A run creates hundreds of databases: they are dropped when their file has ended, so that the few in use fit into memory. */
export function untilTheFileEnds(url: string): string {
  used.push(url);
  return url;
}

export async function dropUsedDatabases(): Promise<void> {
  if (used.length === 0) return;
  // Imported on demand, because most files need no server.
  const { dropDatabase } = await import('./postgres.ts');
  for (const url of used.splice(0)) await dropDatabase(url);
}
