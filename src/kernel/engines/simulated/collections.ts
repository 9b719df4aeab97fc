import { collection } from '../../store/collection.ts';
import type { SecretsIn } from '../../store/secrets.ts';
import type { Collection } from '../../store/types.ts';
import { LEFT_OUT } from './travel.ts';

/** The sandbox that a group runs in; keyed by uid. */
export interface SimulatedSandbox {
  uid: string;
  /** The deployment that the sandbox was created for. */
  generation: number;
  ip?: string;
}

/**
 * One run of a container. Its state at any time is derived from this document and the time only. Keyed by engine id, which begins with the
 * uid of the group, so that a prefix query finds all runs of a group.
 */
export interface SimulatedContainer {
  uid: string;
  name: string;
  generation: number;
  run: number;
  image: string;
  startedAt: number;
  /** `Inside` as encrypted JSON: environment and files may be secret. */
  sealed: string;
  /** Whether the container may be a server; false if all of its commands are known. */
  serves: boolean;
  ports: number[];
  /** Undefined: it runs until it is stopped. */
  end?: { at: number; exitCode: number; outOfMemory: boolean };
}

/** An image that was pulled or is being pulled; keyed by its lower-case name. */
export interface SimulatedImage {
  image: string;
  /** When the pull ends. */
  readyAt: number;
  /** Whether the end of the pull was reported to a caller. */
  pulled: boolean;
  failures: number;
}

export interface SimulatedCollections {
  readonly sandboxes: Collection<SimulatedSandbox>;
  readonly containers: Collection<SimulatedContainer>;
  readonly images: Collection<SimulatedImage>;
}

/** The collections of one owner of simulated containers, for example `jobs.simulated_containers`. The owner declares them. */
export const simulatedCollections = (
  prefix: string,
  secrets: SecretsIn<SimulatedContainer> = LEFT_OUT,
): SimulatedCollections => ({
  sandboxes: collection(`${prefix}.simulated_sandboxes`),
  containers: collection<SimulatedContainer>(`${prefix}.simulated_containers`, { secrets }),
  images: collection(`${prefix}.simulated_images`, { cached: true }),
});
