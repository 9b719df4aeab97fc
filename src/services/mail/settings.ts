import type { Jar } from '../../kernel/service/index.ts';
import type { RelaySettings } from './relay/types.ts';

/** What `services.mail` of the configuration says beside the settings that can be changed at run time. */
export interface MailConfiguration {
  /** The server that sends mail to the world; without one, mail to other domains is kept in the jar. */
  readonly relay?: Partial<RelaySettings> & Pick<RelaySettings, 'host'>;
  /** The mailbox (alias or address) that gets mail for unknown names of local domains. */
  readonly catchAll?: string;
}

/** As checked when the jar started. */
export const configurationOf = ({ config }: Pick<Jar, 'config'>): MailConfiguration => config.services.mail ?? {};

const SMTP_PORT = 25;

export function relayOf(jar: Pick<Jar, 'config'>): RelaySettings | undefined {
  const { relay } = configurationOf(jar);
  return relay && { port: SMTP_PORT, tls: 'opportunistic', name: 'cloudjar', ...relay };
}
