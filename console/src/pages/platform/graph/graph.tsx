import { type ReactNode, useEffect, useMemo, useRef } from 'react';
import { Link } from 'wouter';
import { classes } from '../../../shared/style/class-names.ts';
import type { Tone } from '../../../shared/ui/badge.tsx';
import styles from './graph.module.css';
import { type Edge, layoutOf, type Needing, NODE } from './layout.ts';

export interface GraphNode extends Needing {
  readonly title: string;
  /** Below the title: its kind, its state. */
  readonly note: ReactNode;
  readonly tone?: Tone | undefined;
  /** Something happens in it now. */
  readonly isActive?: boolean;
  /** Where a click leads. */
  readonly address: string;
  readonly isOpen?: boolean;
}

const MARGIN = 12;

/** Things and what they wait for, from left to right. */
export function Graph({ label, nodes }: { readonly label: string; readonly nodes: readonly GraphNode[] }) {
  // The places depend on the names and edges only, so that a new state moves nothing.
  const shape = JSON.stringify(nodes.map(({ id, needs }) => ({ id, needs })));
  const { places, edges, width, height } = useMemo(() => layoutOf(JSON.parse(shape) as Needing[]), [shape]);
  const frame = useRef<HTMLElement>(null);
  const open = nodes.find(({ isOpen }) => isOpen)?.id;
  useEffect(() => {
    if (open !== undefined)
      frame.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [open]);
  const tones = new Map(nodes.map(({ id, tone }) => [id, tone]));
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <section ref={frame} className={styles.frame} aria-label={label} tabIndex={0}>
      <div className={styles.space} style={{ width: width + 2 * MARGIN, height: height + 2 * MARGIN }}>
        <svg width={width + 2 * MARGIN} height={height + 2 * MARGIN} className={styles.edges} aria-hidden>
          {edges.map((edge) => (
            <Line
              key={`${edge.from} ${edge.to} ${edge.label ?? ''}`}
              edge={edge}
              isDone={tones.get(edge.from) === 'success'}
            />
          ))}
        </svg>
        <ol className={styles.nodes}>
          {nodes.map(({ id, title, note, tone = 'neutral', isActive, address, isOpen, needs }) => {
            const { x, y } = places.get(id) ?? { x: 0, y: 0 };
            return (
              <li key={id} className={styles.place} style={{ left: x + MARGIN, top: y + MARGIN, ...NODE }}>
                <Link
                  href={address}
                  className={classes(styles.node, styles[tone], isActive && styles.active)}
                  title={needs.length === 0 ? title : `${title}, after ${needs.map((need) => need.id).join(', ')}`}
                  {...(isOpen && { 'aria-current': 'true' as const })}
                >
                  <span className={styles.title}>{title}</span>
                  <span className={styles.note}>{note}</span>
                </Link>
              </li>
            );
          })}
        </ol>
      </div>
    </section>
  );
}

function Line({ edge, isDone }: { readonly edge: Edge; readonly isDone: boolean }) {
  const [start, ...rest] = edge.points.map(({ x, y }) => ({ x: x + MARGIN, y: y + MARGIN }));
  const end = rest.at(-1);
  if (!start || !end) return null;
  let from = start;
  const parts = rest.map((to, index) => {
    const bend = (to.x - from.x) / 2;
    const curve = `C${from.x + bend},${from.y} ${to.x - bend},${to.y} ${to.x},${to.y}`;
    from = to;
    return index % 2 === 0 ? curve : `L${to.x},${to.y}`;
  });
  return (
    <g>
      <path d={`M${start.x},${start.y} ${parts.join(' ')}`} className={classes(styles.line, isDone && styles.done)} />
      {edge.label !== undefined && (
        <text x={end.x - 6} y={end.y - 6} className={styles.label} textAnchor="end">
          {edge.label}
        </text>
      )}
    </g>
  );
}
