declare module 'hyco-https' {
  import type { EventEmitter } from 'node:events';
  import type { IncomingMessage } from 'node:http';

  export interface RelayResponse {
    statusCode: number;
    setHeader(name: string, value: string): void;
    write(chunk: string | Buffer): boolean;
    end(chunk?: string | Buffer): void;
  }

  export interface RelayServer extends EventEmitter {
    listen(): void;
    close(callback?: (error: unknown) => void): void;
  }

  export interface Hyco {
    createRelayedServer(
      options: { server: string; token: string | (() => string) },
      listener: (request: IncomingMessage, response: RelayResponse) => void,
    ): RelayServer;
    createRelayToken(uri: string, keyName: string, key: string, expirationSeconds?: number): string;
  }

  const hyco: Hyco;
  export default hyco;
}
