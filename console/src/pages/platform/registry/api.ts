import type { Tone } from '../../../shared/ui/badge.tsx';
import type { KeyValue } from '../experiments/api.ts';

export const STAGES = ['None', 'Staging', 'Production', 'Archived'] as const;
export type Stage = (typeof STAGES)[number];

export interface ModelVersion {
  readonly name: string;
  readonly version: string;
  readonly creation_timestamp: number;
  readonly last_updated_timestamp: number;
  readonly user_id?: string;
  readonly current_stage: Stage;
  readonly description?: string;
  readonly source?: string;
  readonly run_id?: string;
  readonly status: string;
  readonly status_message?: string;
  readonly tags?: readonly KeyValue[];
  readonly aliases?: readonly string[];
}

export interface RegisteredModel {
  readonly name: string;
  readonly creation_timestamp: number;
  readonly last_updated_timestamp: number;
  readonly user_id?: string;
  readonly description?: string;
  /** The newest version of each stage. */
  readonly latest_versions?: readonly ModelVersion[];
  readonly tags?: readonly KeyValue[];
  readonly aliases?: readonly { readonly alias: string; readonly version: string }[];
}

export interface ModelPage {
  readonly registered_models?: readonly RegisteredModel[];
  readonly next_page_token?: string;
}

export interface VersionPage {
  readonly model_versions?: readonly ModelVersion[];
  readonly next_page_token?: string;
}

export interface TransitionRequest {
  readonly id: string;
  readonly to_stage: Stage;
  readonly user_id: string;
  readonly comment?: string;
  readonly creation_timestamp: number;
}

export interface Activity extends Partial<TransitionRequest> {
  readonly id: string;
  readonly activity_type: string;
  readonly from_stage?: Stage;
  readonly user_id: string;
  readonly creation_timestamp: number;
}

export const STAGE_TONES: Readonly<Record<Stage, Tone>> = {
  None: 'neutral',
  Staging: 'info',
  Production: 'success',
  Archived: 'neutral',
};
