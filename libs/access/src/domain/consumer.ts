import { type RateLimits } from './rate-limits';

/** A program that calls the service, and what it may do. */
export interface Consumer {
  key: string;
  label: string;
  status: 'active' | 'disabled';
  /** Hosts that `security.domain` may name; see `checkDomain`. */
  domains: string[];
  /** Paid or optional abilities, the offline package among them. */
  features: string[];
  /** Requests per 5 s that differ from the published ones; see `limitFor`. */
  rateLimits: RateLimits;
  /** Whether the signature scheme of clients older than mid-2023 is accepted. */
  legacySignatures: boolean;
  grants: Grant[];
}

export interface Grant {
  organisation: number;
  access: 'read' | 'write';
  /** The bank that is meant when a request names none. */
  primary: boolean;
}

export interface Organisation {
  id: number;
  name: string;
}

export interface OrganisationWithSettings extends Organisation {
  /** What an operator set, in the spelling of the description: `enforce_workflow_moves`. */
  settings: Record<string, unknown>;
}
