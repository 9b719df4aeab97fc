import { ok } from '../../../../src/kernel/http/route.ts';
import { route } from '../../../../src/kernel/service/routes.ts';
import type { Service } from '../../../../src/kernel/service/service.ts';
import type { Bench } from '../../../support/jars.ts';
import { withFurtherApi } from '../further-api.ts';

/** Requests that run until the test ends them, so that it can inspect queued ones. */
export class Gates {
  readonly entered: string[] = [];
  readonly #open = new Map<string, () => void>();

  enter(name: string): Promise<void> {
    this.entered.push(name);
    return new Promise((resolve) => this.#open.set(name, resolve));
  }

  /** Ends a request. */
  open(name: string): void {
    const gate = this.#open.get(name);
    if (!gate) throw new Error(`'${name}' has not come in`);
    this.#open.delete(name);
    gate();
  }

  openAll(): void {
    for (const name of this.#open.keys()) this.open(name);
  }
}

/** All services, with requests that pass the same steps as those of the business application. */
export const gatedServices = (gates: Gates): readonly Service[] =>
  withFurtherApi('gated', [
    route({
      method: 'GET',
      path: '/gated/{name}',
      operation: 'Gated_get',
      summary: 'Ends when it is told to',
      async handle({ params }) {
        await gates.enter(params.name);
        return ok({ name: params.name });
      },
    }),
  ]);

/** Changes limits, globally unless a scope is given. */
export async function setLimits(bench: Bench, ...changes: object[]): Promise<void> {
  const reply = await bench.call('PATCH', '/_jar/limits', { token: bench.jar.adminKey, body: changes });
  if (reply.status !== 200) throw new Error(`the limits were not changed: ${reply.text}`);
}

// biome-ignore lint/suspicious/noExplicitAny: tests look into it
export async function limitNamed(bench: Bench, name: string): Promise<any> {
  const reply = await bench.call('GET', `/_jar/limits?name=${name}`, { token: bench.jar.adminKey });
  return reply.body.value[0];
}
