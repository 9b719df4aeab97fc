import { Link } from 'wouter';
import { addressOf } from '../../shared/address.ts';
import { shortId } from '../../shared/format/ids.ts';
import { shortCount } from '../../shared/format/numbers.ts';
import { Section, Soft } from '../../shared/ui/layout.tsx';
import { Meter } from '../../shared/ui/meter.tsx';
import styles from './overview.module.css';
import type { Overview } from './use-overview.ts';

type Limit = Overview['limits'][number];

const MOST_SHOWN = 5;

/** The limits that are used up first. */
export function Limits({ limits }: { readonly limits: readonly Limit[] }) {
  return (
    <Section
      title="Limits under pressure"
      actions={
        <span className={styles.links}>
          <Link href={addressOf('limits')}>All limits</Link>
        </span>
      }
    >
      {limits.length === 0 ? (
        <Soft>No limit has been used.</Soft>
      ) : (
        <ul className={styles.meters}>
          {limits.slice(0, MOST_SHOWN).map((limit) => (
            <li key={keyOf(limit)}>
              <Link
                href={`${addressOf('limits')}?filter=${encodeURIComponent(limit.name)}`}
                className={styles.plain}
                title={[limit.name, ...Object.entries(limit.scope).map(([part, value]) => `${part} ${value}`)].join(
                  '\n',
                )}
              >
                <Meter
                  label={limit.title}
                  value={limit.used}
                  most={limit.limit}
                  text={`${shortCount(limit.used)} of ${shortCount(limit.limit)}`}
                />
              </Link>
              <Soft>
                <span className={styles.scope}>{scopeOf(limit)}</span>
              </Soft>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

const keyOf = ({ name, scope }: Limit): string => [name, ...Object.values(scope)].join('\n');

const scopeOf = ({ scope }: Limit): string =>
  Object.entries(scope)
    .map(([part, value]) => `${part} ${shortId(value, 12)}`)
    .join(', ');
