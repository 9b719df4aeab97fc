import pg from 'pg';

/** What a PostgreSQL server does by itself a while after many writes: it counts what the tables hold, to plan by. */
export async function analyze(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query('ANALYZE');
  } finally {
    await client.end();
  }
}
