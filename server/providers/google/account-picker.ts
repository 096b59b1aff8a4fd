import { escapeHtml } from '#server/kit/http/openapi-page.ts';
import type { TestPerson } from './test-people.ts';

/** The stand-in's page to choose an account, or cancel. Plain HTML. */
export function pickerPage(product: string, people: readonly TestPerson[], stylesheet: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Choose an account - stand-in for Google</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${stylesheet}">
</head>
<body>
<main>
  <h1>Choose an account</h1>
  <p class="quiet">to continue to ${escapeHtml(product)}. This is a stand-in for Google: nothing leaves this machine.</p>
  <form method="post">
    <ul>
${people.map(personRow).join('\n')}
    </ul>
    <button name="account" value="" class="refuse">Refuse</button>
  </form>
</main>
</body>
</html>`;
}

function personRow({ sub, name, email, email_verified }: TestPerson): string {
  return `      <li><button name="account" value="${escapeHtml(sub)}"><strong>${escapeHtml(name)}</strong><span>${escapeHtml(
    email,
  )}${email_verified ? '' : ' (not verified)'}</span></button></li>`;
}
