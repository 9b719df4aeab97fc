import type { Route } from '../kernel/http/route.ts';
import type { Controls } from './controls.ts';

export function snapshotRoutes(_controls: Controls): Route[] {
  return [];
}
