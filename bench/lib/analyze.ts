import pg from 'pg';

/** Runs the analysis that a PostgreSQL server runs by itself some time after many writes: it updates the planner's statistics. */
export async function analyze(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query('ANALYZE');
  } finally {
    await client.end();
  }
}
