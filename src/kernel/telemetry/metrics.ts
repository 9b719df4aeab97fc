import { SeriesTable } from './series.ts';

export interface Counter {
  inc(by?: number): void;
}

export interface Gauge {
  set(value: number): void;
  add(by: number): void;
}

export interface Histogram {
  observe(value: number): void;
}

/** A metric with labels. Resolve a series once and keep it if it is used often: `const hits = requests.with('mail')`. */
export interface Labelled<Series, Names extends readonly string[]> {
  with(...values: { readonly [Index in keyof Names]: string }): Series;
}

export interface MetricOptions<Names extends readonly string[]> {
  /** `cloudjar_requests_total`; counters end in `_total`, other metrics in their unit. */
  readonly name: string;
  readonly help: string;
  readonly labels?: Names;
  /** The maximum number of label combinations; further ones share an overflow series. */
  readonly maxSeries?: number;
}

export interface CollectedGaugeOptions {
  readonly name: string;
  readonly help: string;
  /** Called when the metrics are read. If it fails, the metric is left out. */
  collect(): number | Promise<number>;
}

/** A registry of metrics in the text format of Prometheus. */
export interface Metrics {
  counter<const Names extends readonly string[] = []>(options: MetricOptions<Names>): Labelled<Counter, Names>;
  gauge<const Names extends readonly string[] = []>(options: MetricOptions<Names>): Labelled<Gauge, Names>;
  histogram<const Names extends readonly string[] = []>(
    options: MetricOptions<Names> & { readonly buckets?: readonly number[] },
  ): Labelled<Histogram, Names>;
  collectedGauge(options: CollectedGaugeOptions): void;
  render(): Promise<string>;
}

/** The content type of `render()`. */
export const METRICS_CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/** In seconds, from a millisecond to ten seconds. Only a few, because every operation that was called has a line for each bucket. */
export const LATENCY_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.1, 1, 10];

const DEFAULT_MAX_SERIES = 1_000;
const METRIC_NAME = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/;
const LABEL_NAME = /^(?!__)[a-zA-Z_][a-zA-Z0-9_]*$/;

export function createMetrics(): Metrics {
  return new Registry();
}

interface Family {
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly help: string;
  samples(): Iterable<string> | Promise<Iterable<string>>;
}

interface Renderable {
  samples(name: string, labels: string): Iterable<string>;
}

class Registry implements Metrics {
  readonly #families = new Map<string, Family>();

  counter<const Names extends readonly string[] = []>(options: MetricOptions<Names>): Labelled<Counter, Names> {
    return this.#declare('counter', options, () => new CounterSeries());
  }

  gauge<const Names extends readonly string[] = []>(options: MetricOptions<Names>): Labelled<Gauge, Names> {
    return this.#declare('gauge', options, () => new GaugeSeries());
  }

  histogram<const Names extends readonly string[] = []>(
    options: MetricOptions<Names> & { readonly buckets?: readonly number[] },
  ): Labelled<Histogram, Names> {
    const buckets = Float64Array.from(options.buckets ?? LATENCY_BUCKETS).sort();
    if (options.labels?.includes('le')) throw new TypeError(`${options.name}: le is the label of the buckets`);
    return this.#declare('histogram', options, () => new HistogramSeries(buckets));
  }

  collectedGauge({ name, help, collect }: CollectedGaugeOptions): void {
    this.#add(name, { type: 'gauge', help, samples: async () => [`${name} ${formatNumber(await collect())}\n`] });
  }

  async render(): Promise<string> {
    const parts = await Promise.all(
      [...this.#families].map(async ([name, { type, help, samples }]) => {
        try {
          return `# HELP ${name} ${escapeHelp(help)}\n# TYPE ${name} ${type}\n${[...(await samples())].join('')}`;
        } catch {
          // One source that cannot answer (an unreachable database) must not hide all others.
          return '';
        }
      }),
    );
    return parts.join('');
  }

  #declare<Series extends Renderable, Names extends readonly string[]>(
    type: Family['type'],
    { name, help, labels, maxSeries = DEFAULT_MAX_SERIES }: MetricOptions<Names>,
    make: () => Series,
  ): Labelled<Series, Names> {
    const wrong = labels?.find((label) => !LABEL_NAME.test(label));
    if (wrong !== undefined) throw new TypeError(`${name}: ${JSON.stringify(wrong)} is not a label name`);
    const table = new SeriesTable(labels ?? [], maxSeries, make);
    this.#add(name, {
      type,
      help,
      samples: () => table.entries().flatMap((entry) => [...entry.series.samples(name, entry.labels)]),
    });
    return { with: (...values) => table.get(values) };
  }

  #add(name: string, family: Family): void {
    if (!METRIC_NAME.test(name)) throw new TypeError(`${JSON.stringify(name)} is not a metric name`);
    if (this.#families.has(name)) throw new TypeError(`the metric ${name} is declared twice`);
    this.#families.set(name, family);
  }
}

class CounterSeries implements Counter, Renderable {
  #value = 0;

  inc(by = 1): void {
    if (!(by >= 0)) throw new RangeError(`a counter only grows, not by ${by}`);
    this.#value += by;
  }

  *samples(name: string, labels: string): Iterable<string> {
    yield sample(name, labels, this.#value);
  }
}

class GaugeSeries implements Gauge, Renderable {
  #value = 0;

  set(value: number): void {
    this.#value = value;
  }

  add(by: number): void {
    this.#value += by;
  }

  *samples(name: string, labels: string): Iterable<string> {
    yield sample(name, labels, this.#value);
  }
}

class HistogramSeries implements Histogram, Renderable {
  readonly #bounds: Float64Array;
  /** Counts per bucket; the text format requires cumulative counts. */
  readonly #counts: Float64Array;
  #sum = 0;

  constructor(bounds: Float64Array) {
    this.#bounds = bounds;
    this.#counts = new Float64Array(bounds.length + 1);
  }

  observe(value: number): void {
    const bounds = this.#bounds;
    let bucket = 0;
    while (bucket < bounds.length && value > bounds[bucket]!) bucket++;
    this.#counts[bucket]! += 1;
    this.#sum += value;
  }

  *samples(name: string, labels: string): Iterable<string> {
    const prefix = labels === '' ? '' : `${labels},`;
    let total = 0;
    for (const [index, count] of this.#counts.entries()) {
      total += count;
      const bound = this.#bounds[index] ?? Number.POSITIVE_INFINITY;
      yield sample(`${name}_bucket`, `${prefix}le="${formatNumber(bound)}"`, total);
    }
    yield sample(`${name}_sum`, labels, this.#sum);
    yield sample(`${name}_count`, labels, total);
  }
}

function sample(name: string, labels: string, value: number): string {
  return labels === '' ? `${name} ${formatNumber(value)}\n` : `${name}{${labels}} ${formatNumber(value)}\n`;
}

function formatNumber(value: number): string {
  if (value === Number.POSITIVE_INFINITY) return '+Inf';
  return value === Number.NEGATIVE_INFINITY ? '-Inf' : String(value);
}

function escapeHelp(help: string): string {
  return help.replace(/[\\\n]/g, (character) => (character === '\n' ? '\\n' : '\\\\'));
}
