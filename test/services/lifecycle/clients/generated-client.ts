import { createRequire } from 'node:module';
import type { Bench } from '../../../support/jars.ts';

const require = createRequire(import.meta.url);

type Operation = (...args: readonly unknown[]) => Promise<Answer>;
// biome-ignore lint/suspicious/noExplicitAny: the client has no types of its own that could be checked here
type Answer = any;

/** Operations by group. */
export type GeneratedClient = Readonly<Record<string, Readonly<Record<string, Operation>>>>;

interface Library {
  createAppCenterClient(
    command: readonly string[],
    telemetryEnabled: boolean,
  ): { fromToken(token: string, endpoint: string): GeneratedClient };
}

/** The generated client library, created by its own factory with only a token and an address. */
export function generatedClient({ jar }: Bench, token: string): GeneratedClient {
  const library = require('appcenter-cli/dist/util/apis/create-client.js') as Library;
  return library.createAppCenterClient([], false).fromToken(token, jar.httpsUrl);
}

/** The status of an error of the client. */
export const statusOf = (error: { statusCode?: number }): number | undefined => error.statusCode;
