import { generateKeyPairSync } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';

/** The parts of oidc-provider, which has no types, that are used here. */
interface Oidc {
  Provider: new (
    issuer: string,
    configuration: object,
  ) => {
    callback(): (request: IncomingMessage, response: ServerResponse) => void;
    interactionDetails(request: IncomingMessage, response: ServerResponse): Promise<{ params: { login_hint: string } }>;
    interactionFinished(...of: [IncomingMessage, ServerResponse, object, object]): Promise<void>;
  };
}

interface Context {
  oidc: {
    client: { clientId: string };
    session: { accountId: string };
    provider: { Grant: new (of: object) => { addOIDCScope(scope: string): void; save(): Promise<string> } };
  };
}

type Claims = Record<string, unknown>;

/** It advises on production and on releases of Node. */
function quietly<T>(work: () => T): T {
  const { warn, info } = console;
  Object.assign(console, { warn: () => undefined, info: () => undefined });
  try {
    return work();
  } finally {
    Object.assign(console, { warn, info });
  }
}

/**
 * A provider of OpenID Connect on this machine, without pages: it signs in the user whom `login_hint` names. The user
 * `refuses` refuses.
 */
export async function startProvider(
  client: { id: string; secret: string },
  redirect: string,
  claimsOf: (user: string) => Claims | undefined,
): Promise<{ issuer: string; close(): Promise<void> }> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const HOUR_S = 3_600;
  const configuration = {
    clients: [
      {
        client_id: client.id,
        client_secret: client.secret,
        redirect_uris: [redirect],
        token_endpoint_auth_method: 'client_secret_post',
      },
    ],
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), alg: 'RS256', use: 'sig' }] },
    claims: { email: ['email', 'email_verified'], profile: ['given_name', 'family_name', 'groups'] },
    conformIdTokenClaims: false,
    features: { devInteractions: { enabled: false } },
    pkce: { required: () => true },
    cookies: { keys: ['test'] },
    ttl: { Interaction: HOUR_S, Grant: HOUR_S, Session: HOUR_S, AccessToken: HOUR_S, IdToken: HOUR_S },
    findAccount: (_: unknown, sub: string) => ({ accountId: sub, claims: () => ({ sub, ...claimsOf(sub) }) }),
    interactions: { url: (_: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    loadExistingGrant: async ({ oidc: { client: asking, session, provider } }: Context) => {
      const grant = new provider.Grant({ clientId: asking.clientId, accountId: session.accountId });
      grant.addOIDCScope('openid email profile');
      await grant.save();
      return grant;
    },
  };
  const provider = quietly(() => {
    // eslint-disable-next-line @typescript-eslint/no-require-imports -- it has no types
    const { Provider } = require('oidc-provider') as Oidc;
    return new Provider(issuer, configuration);
  });
  const callback = provider.callback();
  server.on('request', (request, response) => {
    if (!request.url!.startsWith('/interaction/')) return callback(request, response);
    void provider.interactionDetails(request, response).then(({ params: { login_hint: user } }) => {
      const result = user === 'refuses' ? { error: 'access_denied' } : { login: { accountId: user } };
      return provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false });
    });
  });
  const close = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return { issuer, close };
}
