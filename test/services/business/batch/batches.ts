import type { Bench, Reply } from '../../../support/jars.ts';

const API = '/api/v2.0';

/** Sends batches to the first company of a jar and reads their effects. */
export class Batches {
  readonly #bench: Bench;
  #company: string | undefined;
  #names = 0;

  constructor(bench: Bench) {
    this.#bench = bench;
  }

  async company(): Promise<string> {
    this.#company ??= (await this.#bench.call('GET', `${API}/companies`)).body.value[0].id as string;
    return this.#company;
  }

  /** The address of a set of the company, below the API. */
  set = async (name: string): Promise<string> => `companies(${await this.company()})/${name}`;

  /** A unique name. */
  name(): string {
    this.#names += 1;
    return `Batch ${this.#names}`;
  }

  send(requests: readonly object[], headers: Record<string, string> = {}): Promise<Reply> {
    return this.#bench.call('POST', `${API}/$batch`, {
      body: { requests },
      headers: { accept: 'application/json', ...headers },
    });
  }

  statuses = ({ body }: Reply): number[] => body.responses.map(({ status }: { status: number }) => status);

  // biome-ignore lint/suspicious/noExplicitAny: records of any set
  async read(query: string): Promise<any[]> {
    return (await this.#bench.call('GET', `${API}/${await this.set(query)}`)).body.value;
  }

  /** Number of items with this name. */
  async count(displayName: string): Promise<number> {
    return (await this.read(`items?$filter=displayName eq '${displayName}'&$select=id`)).length;
  }
}
