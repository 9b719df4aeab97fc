/** The label value of the series that counts everything beyond the maximum. */
export const OVERFLOW_LABEL = '_overflow';
const MAX_LABEL_LENGTH = 128;

type Branch<Series> = Map<string, Branch<Series> | Series>;

/**
 * The series of one metric by their label values. Label values may come from requests (a status, a name), so their number and length are
 * limited; all further ones share one series.
 */
export class SeriesTable<Series extends object> {
  readonly #labelNames: readonly string[];
  readonly #limit: number;
  readonly #make: () => Series;
  readonly #root: Branch<Series> = new Map();
  readonly #all: { readonly labels: string; readonly series: Series }[] = [];
  #overflow: Series | undefined;

  constructor(labelNames: readonly string[], limit: number, make: () => Series) {
    this.#labelNames = labelNames;
    this.#limit = limit;
    this.#make = make;
    // A metric without labels has its series from the start, so that it shows 0 before the first event.
    if (labelNames.length === 0) this.#register([]);
  }

  get(values: readonly string[]): Series {
    if (values.length !== this.#labelNames.length) {
      throw new TypeError(`expected values of ${this.#labelNames.join(', ') || 'no label'}, got ${values.length}`);
    }
    if (values.length === 0) return this.#all[0]!.series;
    let node: Branch<Series> | Series = this.#root;
    for (const value of values) {
      const next: Branch<Series> | Series | undefined = (node as Branch<Series>).get(shorten(value));
      if (next === undefined) return this.#add(values);
      node = next;
    }
    return node as Series;
  }

  /** All series, with their labels in the format between the braces of the text format. */
  entries(): readonly { readonly labels: string; readonly series: Series }[] {
    return this.#all;
  }

  #add(values: readonly string[]): Series {
    if (this.#all.length >= this.#limit) {
      this.#overflow ??= this.#register(values.map(() => OVERFLOW_LABEL));
      return this.#overflow;
    }
    const series = this.#register(values.map(shorten));
    let branch = this.#root;
    for (const value of values.slice(0, -1)) {
      const key = shorten(value);
      const next = (branch.get(key) as Branch<Series> | undefined) ?? new Map();
      branch.set(key, next);
      branch = next;
    }
    branch.set(shorten(values.at(-1)!), series);
    return series;
  }

  #register(values: readonly string[]): Series {
    const series = this.#make();
    const labels = this.#labelNames.map((name, index) => `${name}="${escapeLabel(values[index] ?? '')}"`).join(',');
    this.#all.push({ labels, series });
    return series;
  }
}

function shorten(value: string): string {
  return value.length > MAX_LABEL_LENGTH ? value.slice(0, MAX_LABEL_LENGTH) : value;
}

function escapeLabel(value: string): string {
  return value.replace(/[\\"\n]/g, (character) => (character === '\n' ? '\\n' : `\\${character}`));
}
