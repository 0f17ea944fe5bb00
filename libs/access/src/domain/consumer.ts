import { type RateLimits } from './rate-limits';

/** A client program and its permissions. */
export interface Consumer {
  key: string;
  label: string;
  status: 'active' | 'disabled';
  /** Hosts that `security.domain` may name; see `checkDomain`. */
  domains: string[];
  /** Paid or optional features, such as the offline package. */
  features: string[];
  /** Limits per 5 s that replace the published ones; see `limitFor`. */
  rateLimits: RateLimits;
  /** Whether the consumer may sign with the scheme of clients from before mid-2023. */
  legacySignatures: boolean;
  grants: Grant[];
}

export interface Grant {
  organisation: number;
  access: 'read' | 'write';
  /** Whether requests that name no item bank use this one. */
  primary: boolean;
}

export interface Organisation {
  id: number;
  name: string;
}

export interface OrganisationWithSettings extends Organisation {
  /** Settings that an operator made, under their names in the installation file, such as `enforce_workflow_moves`. */
  settings: Record<string, unknown>;
}
