import { armRoutesFor } from '../arm/route.ts';
import { type FamilyShape, type Call as HttpCall, routesFor } from '../http/route.ts';
import { socketRoutesFor } from '../http/socket-route.ts';
import type { Jar } from './jar.ts';

/** A request as seen by a handler of a service, with the whole jar, or with the service's own extension of it. */
export type Call<
  P = HttpCall['params'],
  Q = HttpCall['query'],
  B = unknown,
  J extends Jar = Jar,
  S extends FamilyShape = FamilyShape,
> = HttpCall<P, Q, B, J, S>;

export const { route, routeCode } = routesFor<Jar>();
export const { armRoute, armCode } = armRoutesFor<Jar>();
export const socketRoute = socketRoutesFor<Jar>();
