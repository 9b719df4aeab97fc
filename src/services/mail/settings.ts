import type { Jar } from '../../kernel/service/index.ts';
import type { RelaySettings } from './relay/types.ts';

/** Properties of `services.mail` in the configuration that cannot change at run time. */
export interface MailConfiguration {
  /** The mail server for outgoing mail. Without it, mail to other domains is kept in the jar. */
  readonly relay?: Partial<RelaySettings> & Pick<RelaySettings, 'host'>;
  /** The mailbox (alias or address) that gets mail for unknown names in local domains. */
  readonly catchAll?: string;
}

/** The configuration, validated at the start of the jar. */
export const configurationOf = ({ config }: Pick<Jar, 'config'>): MailConfiguration => config.services.mail ?? {};

const SMTP_PORT = 25;

export function relayOf(jar: Pick<Jar, 'config'>): RelaySettings | undefined {
  const { relay } = configurationOf(jar);
  return relay && { port: SMTP_PORT, tls: 'opportunistic', name: 'cloudjar', ...relay };
}
