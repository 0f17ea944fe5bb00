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
`.trim();
