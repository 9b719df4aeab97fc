/** @param {string} cloudjar what the task does */
const wheel = (cloudjar) => ({ python_wheel_task: { package_name: 'etl', entry_point: 'main', cloudjar } });

/** @param {string[]} keys */
const after = (...keys) => ({ depends_on: keys.map((task_key) => ({ task_key })) });

const TASKS = [
  { task_key: 'orders', ...wheel('echo 24 orders; sleep 40') },
  { task_key: 'stock', ...wheel('echo 310 items; sleep 55') },
  { task_key: 'join', ...after('orders', 'stock'), ...wheel('echo joined; sleep 30') },
  { task_key: 'forecast', ...after('join'), ...wheel('echo epoch 1; sleep 600') },
  { task_key: 'report', ...after('join'), ...wheel('echo no template for the week; exit 1') },
  { task_key: 'publish', ...after('forecast', 'report'), ...wheel('echo published') },
];

const RATES = { careful: 0.04, steady: 0.11, bold: 0.3 };
const STEPS = 60;

/**
 * A job with a run that is under way, and an experiment with runs to compare.
 * @param {import('../../../src/testing/index.ts').TestJar} jar
 * @param {import('./client.mjs').Client} ask
 */
export async function runPlatform(jar, ask) {
  const { job_id } = await ask.send('POST', '/api/2.1/jobs/create', { name: 'Nightly forecast', tasks: TASKS });
  const { run_id: run } = await ask.send('POST', '/api/2.1/jobs/run-now', { job_id });
  await jar.clock.advance('100s');
  const { experiment_id: experiment } = await ask.send('POST', '/api/2.0/mlflow/experiments/create', {
    name: '/Shared/forecast',
  });
  const start = Number(jar.clock.now());
  for (const [run_name, rate] of Object.entries(RATES)) {
    const created = await ask.send('POST', '/api/2.0/mlflow/runs/create', {
      experiment_id: experiment,
      run_name,
      start_time: start,
    });
    const metrics = Array.from({ length: STEPS }, (_, step) => ({
      key: 'loss',
      value: 0.08 + Math.exp(-step * rate) + 0.02 * Math.sin(step * (1 + rate)),
      timestamp: start + step * 1000,
      step,
    }));
    await ask.send('POST', '/api/2.0/mlflow/runs/log-batch', {
      run_id: created.run.info.run_id,
      metrics,
      params: [{ key: 'rate', value: String(rate) }],
    });
  }
  return { run, experiment };
}
