// The outbox's page: local times, a list that keeps itself up to date, and the patient's answers.
const everyMs = 1_500;
const byId = (id) => document.getElementById(id);
const list = byId('list');
const field = byId('to');
const answer = byId('answer');
let shown = field.value.trim();
let opener = null;
let answering = { from: '', to: '' };

const clock = new Intl.DateTimeFormat(undefined, { hour: 'numeric', minute: '2-digit', second: '2-digit' });
const dayAndClock = new Intl.DateTimeFormat(undefined, {
  month: 'short',
  day: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
});

function localTimes(root) {
  for (const time of root.querySelectorAll('time')) {
    const at = new Date(time.dateTime);
    const isToday = at.toDateString() === new Date().toDateString();
    time.textContent = (isToday ? clock : dayAndClock).format(at);
    time.title = at.toLocaleString();
  }
}

const address = () => `/dev/outbox${shown ? `?to=${encodeURIComponent(shown)}` : ''}`;

/** Puts what is new on top and renews what changed; nothing else moves, and what has the focus keeps it. */
async function refresh() {
  const asked = shown;
  try {
    const reply = await fetch(address(), { cache: 'no-store' });
    if (!reply.ok) throw new Error(String(reply.status));
    const page = new DOMParser().parseFromString(await reply.text(), 'text/html');
    if (asked !== shown) return;
    const fresh = [...page.querySelectorAll('#list > li')];
    const hadAny = list.childElementCount > 0;
    const keep = new Set(fresh.map((item) => item.id));
    for (const item of list.querySelectorAll('li')) if (!keep.has(item.id)) item.remove();
    for (const item of fresh.reverse()) {
      const old = byId(item.id);
      if (old) renew(old, item);
      else {
        localTimes(item);
        item.classList.toggle('new', hadAny);
        list.prepend(item);
      }
    }
    byId('empty').hidden = list.childElementCount > 0;
    byId('empty').textContent = page.getElementById('empty').textContent;
    say('Live', false);
  } catch {
    say('Not connected, trying again', true);
  }
}

function renew(old, item) {
  const [was, is] = [old.querySelector('.state'), item.querySelector('.state')];
  if (was && is && was.textContent !== is.textContent) was.replaceWith(is);
}

function say(words, isLost) {
  byId('live').hidden = false;
  byId('live').classList.toggle('lost', isLost);
  byId('live-text').textContent = words;
}

function showOnly(filter) {
  shown = filter.trim();
  history.replaceState(null, '', address());
  list.replaceChildren();
  void refresh();
}

let typing;
field.addEventListener('input', () => {
  clearTimeout(typing);
  typing = setTimeout(() => showOnly(field.value), 250);
});
byId('filter').addEventListener('submit', (event) => {
  event.preventDefault();
  showOnly(field.value);
});

list.addEventListener('click', (event) => {
  const button = event.target.closest('button.answer');
  if (!button) return;
  opener = button;
  answering = { from: button.dataset.from, to: button.dataset.to };
  byId('answer-from').textContent = spoken(answering.from);
  byId('answer-to').textContent = spoken(answering.to);
  byId('answer-error').textContent = '';
  byId('answer-body').value = '';
  byId('answer-file').value = '';
  answer.showModal();
  byId('answer-body').focus();
});

const spoken = (phone) => phone.replace(/^\+1(\d{3})(\d{3})(\d{4})$/, '($1) $2-$3');

byId('answer-cancel').addEventListener('click', () => answer.close());
answer.addEventListener('close', () => opener?.focus());
for (const word of document.querySelectorAll('[data-word]')) {
  word.addEventListener('click', () => {
    byId('answer-body').value = word.dataset.word;
    byId('answer-body').focus();
  });
}

/** A file as the server takes it; undefined if none is chosen. */
async function chosenFile() {
  const [file] = byId('answer-file').files;
  if (!file) return undefined;
  const bytes = new Uint8Array(await file.arrayBuffer());
  let binary = '';
  for (let at = 0; at < bytes.length; at += 32_768) binary += String.fromCharCode(...bytes.subarray(at, at + 32_768));
  return { type: file.type || 'application/octet-stream', content: btoa(binary) };
}

byId('answer-form').addEventListener('submit', async (event) => {
  event.preventDefault();
  const body = byId('answer-body').value;
  const hasFile = byId('answer-file').files.length > 0;
  if (body.trim() === '' && !hasFile) {
    byId('answer-error').textContent = 'Write something, or choose a picture.';
    return;
  }
  const send = byId('answer-send');
  send.disabled = true;
  try {
    const reply = await fetch('/dev/outbox/reply', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...answering, body, file: await chosenFile() }),
    });
    if (!reply.ok) throw new Error((await reply.json()).title);
    const line = document.createElement('p');
    line.className = 'answered';
    line.textContent = `Answered: ${body}${hasFile ? ' (with a picture)' : ''}`;
    opener?.closest('li')?.append(line);
    answer.close();
    toast('The office has it.');
  } catch (error) {
    byId('answer-error').textContent = error.message || 'It could not be sent. Please try again.';
  } finally {
    send.disabled = false;
  }
});

let fading;
function toast(words) {
  byId('toast').textContent = words;
  clearTimeout(fading);
  fading = setTimeout(() => (byId('toast').textContent = ''), 4_000);
}

localTimes(document);
say('Live', false);
byId('show').hidden = true;
setInterval(() => {
  if (!document.hidden) void refresh();
}, everyMs);
