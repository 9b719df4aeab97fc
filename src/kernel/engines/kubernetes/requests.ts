import type { HttpLibrary, RequestContext, ResponseContext } from '@kubernetes/client-node';
import { HangDetector } from '../hang-detector.ts';
import type { ClientLibrary } from './connection.ts';

export interface RequestSettings {
  readonly library: ClientLibrary;
  /** Address of the API server. */
  readonly server: string;
  /** See `HangDetectorOptions`. */
  readonly patienceMs: number;
  /** Adds the credentials and the shared connections to a request. */
  authorize(request: RequestContext): Promise<void>;
}

const REQUEST_TIMEOUT_MS = 30_000;
/** By default every client may request it; a rejection also proves that the server responds. */
const PING = '/version';

/** Sends requests with time limits. Once one request shows that the server hangs, further requests fail at once until it responds again. */
export class Requests {
  readonly hangDetector: HangDetector;
  readonly #settings: RequestSettings;
  readonly #http: HttpLibrary;

  constructor(settings: RequestSettings) {
    this.#settings = settings;
    this.#http = new settings.library.IsomorphicFetchHttpLibrary();
    this.hangDetector = new HangDetector({ patienceMs: settings.patienceMs, ping: (withinMs) => this.#ping(withinMs) });
  }

  /** HTTP library for the typed client. */
  get library(): HttpLibrary {
    return this.#settings.library.wrapHttpLibrary({ send: (request) => this.send(request) });
  }

  async send(request: RequestContext, timeoutMs = REQUEST_TIMEOUT_MS): Promise<ResponseContext> {
    this.hangDetector.check();
    const givenUp = new AbortController();
    const unwatch = this.hangDetector.watch({ destroy: (reason) => givenUp.abort(reason) });
    request.setSignal(AbortSignal.any([AbortSignal.timeout(timeoutMs), givenUp.signal]));
    try {
      return await this.#http.send(request).toPromise();
    } finally {
      unwatch();
    }
  }

  async #ping(withinMs: number): Promise<void> {
    const { library, server, authorize } = this.#settings;
    const request = new library.RequestContext(server + PING, library.HttpMethod.GET);
    await authorize(request);
    request.setSignal(AbortSignal.timeout(withinMs));
    const { body } = await this.#http.send(request).toPromise();
    await body.text();
  }
}
