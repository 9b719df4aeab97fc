import rhea, { type Connection, type EventContext, type Message } from 'rhea';
import { type RabbitAddress, rabbitUrl } from '../../../support/rabbitmq.ts';

/** Bounded, so that a failing test says what it waited for. */
const LONGEST_WAIT_MS = 120_000;

/** Reads from a broker by AMQP 1.0. */
export class BrokerReader {
  readonly #connection: Connection;
  readonly messages: Message[] = [];
  #told: (() => void)[] = [];

  private constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** Resolves once the broker has opened the link from `address`. */
  static async open(rabbit: Pick<RabbitAddress, 'port'>, address: string): Promise<BrokerReader> {
    const { hostname, port, username, password } = new URL(rabbitUrl(rabbit));
    const container = rhea.create_container();
    const connection = container.connect({ host: hostname, port: Number(port), username, password, reconnect: false });
    const reader = new BrokerReader(connection);
    const opened = new Promise<void>((resolve, reject) => {
      connection.on('receiver_open', () => resolve());
      connection.on('session_error', ({ session }: EventContext) => reject(new Error(String(session?.error))));
      connection.on('receiver_error', ({ receiver }: EventContext) => reject(new Error(String(receiver?.error))));
      connection.on('connection_error', () => reject(new Error(String(connection.error))));
      connection.on('disconnected', ({ error }: EventContext) => reject(new Error(String(error))));
    });
    connection.on('message', ({ message }: EventContext) => {
      reader.messages.push(message as Message);
      for (const told of reader.#told.splice(0)) told();
    });
    connection.open_receiver({ source: { address, durable: 2 }, autoaccept: true } as never);
    await within(opened, `the way from '${address}'`);
    return reader;
  }

  async next(): Promise<Message> {
    while (this.messages.length === 0) {
      await within(new Promise<void>((resolve) => this.#told.push(resolve)), 'a message');
    }
    return this.messages.shift() as Message;
  }

  close(): void {
    this.#connection.close();
  }
}

async function within(wanted: Promise<void>, what: string): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`the broker did not give ${what} within two minutes`)), LONGEST_WAIT_MS);
  });
  try {
    await Promise.race([wanted, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** The JSON in the body of a message. */
export function contentOf(message: Message): unknown {
  const body = message.body as { content: Buffer };
  return JSON.parse(body.content.toString('utf8'));
}
