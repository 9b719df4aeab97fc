import type { Container } from 'rhea';
import type { BrokerConnection } from '../connection-strings.ts';
import { Broker } from './broker.ts';

/** The connections to brokers, opened with the first message to each. */
export class Brokers {
  readonly #id: string;
  readonly #byConnection = new Map<BrokerConnection, Broker>();
  #container: Promise<Container> | undefined;

  constructor(jarId: string) {
    this.#id = jarId;
  }

  /** The library is loaded with the first message. */
  container(): Promise<Container> {
    // A bundle gives a CommonJS package as its default only.
    this.#container ??= import('rhea').then(({ default: rhea }) =>
      rhea.create_container({ id: `cloudjar-${this.#id}` }),
    );
    return this.#container;
  }

  async to(connection: BrokerConnection): Promise<Broker> {
    const container = await this.container();
    let broker = this.#byConnection.get(connection);
    if (!broker) {
      broker = new Broker(container, connection);
      this.#byConnection.set(connection, broker);
    }
    return broker;
  }

  close(): void {
    for (const broker of this.#byConnection.values()) broker.close();
  }
}
