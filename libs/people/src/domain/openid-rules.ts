import { isRole, type Role, ROLES } from './roles';
import { type Roles } from './person';

/** Gives roles to the people of an OpenID Connect provider who have a claim with a value, or an address in a domain. */
export interface OpenIdRule {
  /** `value` is the claim's text, or one of its texts. */
  claim?: string;
  value?: string;
  /** The part of an address after @. The provider must have verified the address. */
  domain?: string;
  organisation: number;
  roles: Role[];
}

/** The claims of a provider about a person. */
export type Claims = Readonly<Record<string, unknown>>;

/**
 * Reads the setting OPENID_RULES.
 * @throws Error that says what is wrong and what would be right.
 */
export function readOpenIdRules(text: string): OpenIdRule[] {
  let rules: unknown;
  try {
    rules = JSON.parse(text);
  } catch {
    throw new Error(
      'OPENID_RULES is not JSON; it is a list such as [{"domain":"example.org","organisation":1,"roles":["viewer"]}].',
    );
  }
  if (!Array.isArray(rules)) throw new Error('OPENID_RULES must be a list of rules.');
  return rules.map((rule: unknown, index) => {
    if (!isRule(rule))
      throw new Error(
        `OPENID_RULES: rule ${index + 1} must have either domain, or claim and value, and an organisation and roles (${ROLES.join(', ')}).`,
      );
    return rule;
  });
}

function isRule(rule: unknown): rule is OpenIdRule {
  if (typeof rule !== 'object' || rule === null) return false;
  const { claim, value, domain, organisation, roles, ...others } = rule as Record<string, unknown>;
  const isOfDomain = isText(domain) && claim === undefined && value === undefined;
  const isOfClaim = isText(claim) && isText(value) && domain === undefined;
  return (
    (isOfDomain || isOfClaim) &&
    Object.keys(others).length === 0 &&
    Number.isSafeInteger(organisation) &&
    Array.isArray(roles) &&
    roles.length > 0 &&
    roles.every((role) => typeof role === 'string' && isRole(role))
  );
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

/** The roles from all rules that fit; empty when none fits. */
export function rolesByRules(rules: readonly OpenIdRule[], claims: Claims): Roles {
  const roles = new Map<number, Role[]>();
  for (const rule of rules)
    if (fits(rule, claims))
      roles.set(rule.organisation, [...new Set([...(roles.get(rule.organisation) ?? []), ...rule.roles])].sort());
  return roles;
}

function fits({ claim, value, domain }: OpenIdRule, claims: Claims): boolean {
  if (domain !== undefined) {
    const { email, email_verified: isVerified } = claims;
    return isVerified === true && isText(email) && email.toLowerCase().endsWith(`@${domain.toLowerCase()}`);
  }
  const given = Object.hasOwn(claims, claim!) ? claims[claim!] : undefined;
  return given === value || (Array.isArray(given) && given.includes(value));
}
