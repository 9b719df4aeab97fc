/** The databases of the test file that runs. */
const used: string[] = [];

/** A run makes hundreds of databases: they go when their file has ended, so that the few that are in use fit into memory. */
export function untilTheFileEnds(url: string): string {
  used.push(url);
  return url;
}

export async function dropUsedDatabases(): Promise<void> {
  if (used.length === 0) return;
  // Most files need no server, and nothing of its client then.
  const { dropDatabase } = await import('./postgres.ts');
  for (const url of used.splice(0)) await dropDatabase(url);
}
