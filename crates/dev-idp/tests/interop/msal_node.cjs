// Gets app-only tokens with @azure/msal-node: by secret and by certificate.
// Reads its case from the environment and prints one JSON object: way to access token.
// Node trusts the provider through NODE_EXTRA_CA_CERTS, and finds packages through NODE_PATH.

const { readFileSync } = require("node:fs");
const { ConfidentialClientApplication } = require("@azure/msal-node");

const env = process.env;

function client(credential) {
  return new ConfidentialClientApplication({
    auth: {
      clientId: env.CLIENT_ID,
      authority: env.AUTHORITY,
      knownAuthorities: [new URL(env.AUTHORITY).host],
      ...credential,
    },
  });
}

async function token(credential) {
  const answer = await client(credential).acquireTokenByClientCredential({ scopes: [env.SCOPE] });
  return answer.accessToken;
}

async function main() {
  const privateKey = readFileSync(env.KEY_FILE, "utf8");
  const wrong = await token({ clientSecret: "wrong" }).catch((error) => error);
  return {
    secret: await token({ clientSecret: env.CLIENT_SECRET }),
    "certificate-sha256": await token({ clientCertificate: { thumbprintSha256: env.SHA256, privateKey } }),
    "wrong-secret": { error: wrong.errorCode, codes: [Number(wrong.errorNo)] },
  };
}

main().then(
  (tokens) => console.log(JSON.stringify(tokens)),
  (error) => {
    console.error(`${error.errorCode ?? error.name}: ${error.errorMessage ?? error.message}`);
    process.exit(1);
  },
);
