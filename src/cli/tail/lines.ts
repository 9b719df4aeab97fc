import type { LineStyle } from '../../kernel/telemetry/colours.ts';
import { requestLine } from '../../kernel/telemetry/readable-line.ts';

/** An entry of `GET /_jar/requests/live`, as far as a line shows it. */
export interface TailedRequest {
  readonly id: string;
  readonly direction: 'inbound' | 'outbound';
  readonly systemAt: string;
  readonly service: string;
  readonly method: string;
  readonly path?: string;
  readonly target?: string;
  readonly status?: number;
  readonly ms: number;
  readonly fault?: string;
  readonly error?: { readonly code?: string; readonly message?: string };
  readonly delivery?: { readonly attempt: number; readonly deliveries: number; readonly nextAt?: string };
}

/** The same columns as in the terminal log of a jar. */
export function tailLine(entry: TailedRequest, style: LineStyle): string {
  const { id: _, direction, systemAt, path, target = '', error, delivery, ...shown } = entry;
  return requestLine(
    {
      ...shown,
      time: Date.parse(systemAt),
      outbound: direction === 'outbound',
      target: path ?? target,
      code: error?.code,
      reason: error?.message,
      attempt: delivery?.attempt,
      deliveries: delivery?.deliveries,
      nextAt: delivery?.nextAt,
    },
    style,
  );
}
