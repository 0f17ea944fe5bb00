interface Caller {
  key: string;
  secret: string;
  domain: string;
  /** Address of the service. */
  url: string;
}

/** A domain to sign with: `*.example.org` allows what is below it. */
export const domainToSign = (domains: readonly string[]): string => {
  const [first = 'localhost'] = domains;
  return first === '*' ? 'localhost' : first.replace(/^\*\./, 'www.');
};

/** A shell command of a first call. Needs no escapes, because domains, keys and secrets contain no quotes. */
export const asShell = ({ key, secret, domain, url }: Caller): string =>
  `key='${key}' secret='${secret}' domain='${domain}'
timestamp=$(date -u +%Y%m%d-%H%M) request='{"limit": 2}' action=get
text="\${key}_\${domain}_\${timestamp}_\${request}_\${action}"
signature="\\$02\\$$(printf %s "$text" | openssl dgst -sha256 -hmac "$secret" | sed 's/.* //')"
format='{"consumer_key": "%s", "domain": "%s", "timestamp": "%s", "signature": "%s"}'
security=$(printf "$format" "$key" "$domain" "$timestamp" "$signature")
curl -s '${url}/v1/itembank/items' --data-urlencode "security=$security" \\
  --data-urlencode "request=$request" --data-urlencode "action=$action"`;

export const asPython = ({ key, secret, domain, url }: Caller): string =>
  `from learnosity_sdk.request import DataApi

security = {'consumer_key': '${key}', 'domain': '${domain}'}
secret = '${secret}'
answer = DataApi().request('${url}/v1/itembank/items', security, secret, {'limit': 2}, 'get')
print(answer.json()['data'])`;
