import { type Ask, good } from '../support.ts';

/** Experiment tracking through plain requests. */
export const tracking = (ask: Ask) => ({
  ask,
  post: (path: string, body: unknown = {}) => good(ask('POST', `/mlflow/${path}`, body)),
  get: (path: string, query: Record<string, string> = {}) =>
    good(ask('GET', `/mlflow/${path}?${new URLSearchParams(query)}`)),
});

export type Tracking = ReturnType<typeof tracking>;

let made = 0;

export async function newExperiment({ post }: Tracking, name = `/Shared/experiment-${++made}`): Promise<string> {
  return (await post('experiments/create', { name })).experiment_id;
}

export async function newRun(api: Tracking, experiment?: string, rest: object = {}): Promise<string> {
  const { run } = await api.post('runs/create', { experiment_id: experiment ?? (await newExperiment(api)), ...rest });
  return run.info.run_id;
}

export const readRun = async ({ get }: Tracking, run_id: string) => (await get('runs/get', { run_id })).run;

interface Point {
  readonly key: string;
  readonly value: number | string;
  readonly timestamp: number;
  readonly step: number;
}

/** A complete history, page by page. */
export async function historyOf(api: Tracking, run_id: string, metric_key: string, size?: number): Promise<Point[]> {
  const points: Point[] = [];
  for (let token: string | undefined = ''; token !== undefined; ) {
    const page = await api.get('metrics/get-history', {
      run_id,
      metric_key,
      ...(size && { max_results: String(size) }),
      ...(token !== '' && { page_token: token }),
    });
    points.push(...(page.metrics ?? []));
    token = page.next_page_token;
  }
  return points;
}
