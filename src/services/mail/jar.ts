import type { Questions } from '../../kernel/delivery/index.ts';
import { routesFor } from '../../kernel/http/index.ts';
import type { Call, Jar } from '../../kernel/service/index.ts';
import type { OpenSettings } from '../../kernel/settings/index.ts';
import type { Settings } from './settings-table.ts';
import type { MailShape } from './shape.ts';

/** The jar as mail and calendar see it. */
export interface MailJar extends Jar {
  readonly settings: OpenSettings<Settings>;
  /** Handshakes for which a request on this node waits. */
  readonly questions: Questions;
}

export type MailHttpCall = Call<Call['params'], Call['query'], unknown, MailJar, MailShape>;

export const { route, routeCode } = routesFor<MailJar, MailShape>();
