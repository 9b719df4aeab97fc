import { Meter as AriaMeter, ProgressBar as AriaProgress } from 'react-aria-components';
import { classes } from '../style/class-names.ts';
import styles from './meter.module.css';

interface Props {
  readonly label: string;
  readonly value: number;
  readonly most: number;
  /** The text beside the bar. */
  readonly text?: string;
  readonly hideLabel?: boolean;
}

const FULL = 100;
const HIGH = 80;

/** Use of something bounded; the colour warns from four fifths on. */
export function Meter({ label, value, most, text, hideLabel = false }: Props) {
  const share = most <= 0 ? 0 : Math.min(FULL, (value / most) * FULL);
  const tone = share >= FULL ? styles.failure : share >= HIGH ? styles.warning : styles.normal;
  return (
    <AriaMeter
      className={classes(styles.meter, hideLabel && styles.line)}
      value={share}
      aria-label={label}
      valueLabel={text ?? `${Math.round(share)} %`}
    >
      {({ valueText }) => (
        <>
          {!hideLabel && <span className={styles.label}>{label}</span>}
          <span className={styles.text}>{valueText}</span>
          <svg className={styles.bar} viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden>
            <rect className={styles.rest} width="100" height="6" />
            <rect className={tone} width={share} height="6" />
          </svg>
        </>
      )}
    </AriaMeter>
  );
}

/** How far something has come; without a value it is under way and its end is unknown. */
export function Progress({ label, share }: { readonly label: string; readonly share?: number }) {
  return (
    <AriaProgress
      className={styles.meter as string}
      aria-label={label}
      {...(share === undefined ? { isIndeterminate: true } : { value: share * FULL })}
    >
      {({ valueText }) => (
        <>
          <span className={styles.label}>{label}</span>
          <span className={styles.text}>{share === undefined ? '' : valueText}</span>
          <svg className={styles.bar} viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden>
            <rect className={styles.rest} width="100" height="6" />
            <rect
              className={classes(styles.normal, share === undefined && styles.moving)}
              width={share === undefined ? 30 : share * FULL}
              height="6"
            />
          </svg>
        </>
      )}
    </AriaProgress>
  );
}
