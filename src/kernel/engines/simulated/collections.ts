import { collection } from '../../store/collection.ts';
import type { SecretsIn } from '../../store/secrets.ts';
import type { Collection } from '../../store/types.ts';
import { LEFT_OUT } from './travel.ts';

/** The place that a group runs in; by its uid. */
export interface SimulatedSandbox {
  uid: string;
  /** Of the deployment that it was made for. */
  generation: number;
  ip?: string;
}

/**
 * One run of a container. How it is at any time follows from this and the time alone. By its engine id, which begins with the
 * uid of its group, so that those of a group are found by that.
 */
export interface SimulatedContainer {
  uid: string;
  name: string;
  generation: number;
  run: number;
  image: string;
  startedAt: number;
  /** `Inside` as JSON: the environment and the files may be secret. */
  sealed: string;
  /** Whether it may be a server; a command that is understood is not. */
  serves: boolean;
  ports: number[];
  /** Absent: it runs until it is stopped. */
  end?: { at: number; exitCode: number; outOfMemory: boolean };
}

/** An image that somebody has asked for; by its name. */
export interface SimulatedImage {
  image: string;
  /** When the pull ends. */
  readyAt: number;
  /** Whether somebody was told of it. */
  pulled: boolean;
  failures: number;
}

export interface SimulatedCollections {
  readonly sandboxes: Collection<SimulatedSandbox>;
  readonly containers: Collection<SimulatedContainer>;
  readonly images: Collection<SimulatedImage>;
}

/** The collections of one owner of simulated containers: `jobs.simulated_containers` and so on. The owner declares them. */
export const simulatedCollections = (
  prefix: string,
  secrets: SecretsIn<SimulatedContainer> = LEFT_OUT,
): SimulatedCollections => ({
  sandboxes: collection(`${prefix}.simulated_sandboxes`),
  containers: collection<SimulatedContainer>(`${prefix}.simulated_containers`, { secrets }),
  images: collection(`${prefix}.simulated_images`, { cached: true }),
});
