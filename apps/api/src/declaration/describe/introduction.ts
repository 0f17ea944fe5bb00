/** How calls are made and answered: what readers of all documents need first. In Markdown. */
export const introduction = `
## Calls

Every call is a \`POST\` to the path below a version segment: \`v1\`, \`v2023.1.LTS\`, \`latest\`, \`latest-lts\`, \`developer\`
and the like, all alike. The body has three fields, form-encoded (\`application/x-www-form-urlencoded\` or
\`multipart/form-data\`): \`security\` and \`request\`, which are JSON texts, and \`action\`: \`get\`, \`set\` or \`update\`; without
it \`get\` is meant. A JSON body with the same three members is taken too; there, too, \`request\` is the text that was signed.

## Signature

    "$02$" + hex(HMAC-SHA256(secret, consumer_key _ domain _ timestamp [_ expires] [_ user_id] [_ request] [_ action]))

The parts are joined by \`_\`; what is not sent is left out together with its separator. \`request\` is the exact text that
is sent. Client libraries for this API do all this by themselves.

## Answers

What succeeds answers 200 with \`meta.status\` true and \`data\`; everything else answers with \`meta.status\` false, a
\`meta.code\` and a \`meta.message\`. A page holds at most 50 records; when there are more, \`meta.next\` is a token: send it
as \`next\`, with everything else unchanged. Reads of sessions always give one: behind the last session it leads to those that
have changed since, so an empty page is the end for now, and the token can be kept and sent again later. A \`set\` or
\`update\` of many entries applies as a whole or not at all.
`.trim();
