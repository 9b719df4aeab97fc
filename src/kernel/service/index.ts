export { eventStream, type Followed, JsonText, type ServerSentEvent, type Watched } from './event-stream.ts';
export { type Opened, ServiceHost } from './host.ts';
export type { Jar } from './jar.ts';
export { armCode, armRoute, type Call, route, routeCode, socketRoute } from './routes.ts';
export {
  apisOf,
  type ConfiguredBy,
  controlRoutesOf,
  type OpenService,
  type SeedSection,
  type Service,
  type ServiceApi,
  type ServiceCode,
  type SettingsRules,
} from './service.ts';
