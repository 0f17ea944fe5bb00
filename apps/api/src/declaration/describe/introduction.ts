/** Explains calls and answers, as the introduction of all documents. In Markdown. */
export const introduction = `
## Calls

Every call is a \`POST\` to the path below a version segment. \`v1\`, \`v2023.1.LTS\`, \`latest\`, \`latest-lts\`, \`developer\`
and similar ones are equivalent. The body has three form fields (\`application/x-www-form-urlencoded\` or
\`multipart/form-data\`). \`security\` and \`request\` are JSON texts. \`action\` is \`get\`, \`set\` or \`update\`; the default is
\`get\`. A JSON body with the same three members is accepted too; \`request\` is then also the signed text.

## Signature

    "$02$" + hex(HMAC-SHA256(secret, consumer_key _ domain _ timestamp [_ expires] [_ user_id] [_ request] [_ action]))

The parts are joined by \`_\`. An absent part is omitted with its separator. \`request\` is the exact text of the field.
Client libraries for this API do all this.

## Answers

A successful call answers 200 with \`meta.status\` true and \`data\`. Any other answer has \`meta.status\` false, a \`meta.code\`
and a \`meta.message\`. A page has at most 50 records. If there are more, \`meta.next\` is a token: send it as \`next\`, with
everything else unchanged. Reads of sessions always return a token. After the last session, it leads to the sessions that
changed since. So an empty page is the end for now, and you can send the token again later. A \`set\` or \`update\` of many
entries is applied as a whole or not at all.

## Faults and warnings

\`meta.errors\` lists up to 50 faults, each with its \`code\`, its \`message\`, and a \`pointer\` to the wrong value in the request:
a JSON Pointer such as \`/items/1/reference\`. \`meta.request_uuid\` identifies the request in the log of the service.

A successful answer may have \`meta.warnings\`, each with a \`rule\`, a \`pointer\` and a \`message\`: likely mistakes in content,
and members that are unknown and were ignored. \`meta.sanitised\` counts markup that was removed because it could run code;
\`meta.sanitised_at\` has the places.

## Values

- \`null\` counts as absent, unless the type says \`or null\`.
- \`[]\` may stand for an empty object.
- A time is a whole number of Unix seconds, or an ISO 8601 text such as \`2026-01-31T09:30:00Z\`, \`2026-01-31\` or
  \`20260131T093000Z\`. Without a time zone it is UTC.
- A filter by an empty list finds nothing. An empty list of tags does not filter.
- Texts are Unicode without the character U+0000. Objects and lists may be nested 100 levels deep.

## Limits

The service counts the calls of each consumer to each path and action. An operator can change the limits of a consumer.
These calls are allowed in any 5 seconds:

| Calls | In 5 seconds |
| --- | --- |
| \`get\` | 1000 |
| \`get scoring\` | 2000 |
| \`set\` | 50 |
| \`update\` | 50 |
| \`update sessions/responses/scores\` | 1000 |
| \`update sessions/item\` | 1 |

The headers \`RateLimit-Limit\`, \`RateLimit-Remaining\` and \`RateLimit-Reset\` show the state. A call above the limit is
answered with 429, and \`Retry-After\` has the seconds to wait. A body may have 20 MB, unless \`MAX_BODY_BYTES\` is set.
`.trim();
