/** A first call in four ways, each for a shell in the source folder. In Markdown; a test runs the shell commands. */
export const firstCall = `
## A first call

\`npm start\` created a consumer, a program that may call. Its key and secret are in \`.data/credentials.json\`, or in the folder
that \`DATA_DIR\` names. The command line signs with them:

\`\`\`sh
npm run -s itembank -- call itembank/items get '{"limit": 2}'
\`\`\`

The same call with curl, signed by openssl:

\`\`\`sh
stored() { sed -n "s/.*\\"$1\\": \\"\\(.*\\)\\".*/\\1/p" "\${DATA_DIR:-.data}/credentials.json"; }
key=$(stored key) domain=$(stored domain) timestamp=$(date -u +%Y%m%d-%H%M)
request='{"limit": 2}' action=get
text="\${key}_\${domain}_\${timestamp}_\${request}_\${action}"
signature="\\$02\\$$(printf %s "$text" | openssl dgst -sha256 -hmac "$(stored secret)" | sed 's/.* //')"
format='{"consumer_key": "%s", "domain": "%s", "timestamp": "%s", "signature": "%s"}'
security=$(printf "$format" "$key" "$domain" "$timestamp" "$signature")
curl -s "$(stored url)/v1/itembank/items" \\
  --data-urlencode "security=$security" \\
  --data-urlencode "request=$request" --data-urlencode "action=$action"
\`\`\`

A client library signs by itself. It needs the address, the key, the secret, and a domain of the consumer. Node.js:

\`\`\`js
const DataApi = require('learnosity-sdk-nodejs/lib/DataApi');
const { key, secret, domain, url } = require('./.data/credentials.json');
const security = { consumer_key: key, domain };

(async () => {
  const api = new DataApi({});
  const answer = await api.request(\`\${url}/v1/itembank/items\`, security, secret, { limit: 2 }, 'get');
  console.log((await answer.json()).data);
})();
\`\`\`

Python:

\`\`\`python
import json
from learnosity_sdk.request import DataApi

stored = json.load(open('.data/credentials.json'))
security = {'consumer_key': stored['key'], 'domain': stored['domain']}
address = stored['url'] + '/v1/itembank/items'
answer = DataApi().request(address, security, stored['secret'], {'limit': 2}, 'get')
print(answer.json()['data'])
\`\`\`

\`request\` reads one page. \`resultsIter\` and \`results_iter\` take the same arguments and go through all pages:

\`\`\`python
for item in DataApi().results_iter(address, security, stored['secret'], {}, 'get'):
    print(item['reference'])
\`\`\`
`.trim();
