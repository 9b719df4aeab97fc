import { writesTo } from '../api.ts';

export interface Scope {
  readonly name: string;
  readonly backend_type: string;
  readonly keyvault_metadata?: { readonly resource_id: string; readonly dns_name: string };
}

export interface Secret {
  readonly key: string;
  readonly last_updated_timestamp: number;
}

export interface Permission {
  readonly principal: string;
  readonly permission: string;
}

export const SECRETS = '/api/2.0/secrets';

export const SECRETS_CHANGE = writesTo('secrets');
