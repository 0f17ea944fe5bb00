import { html, nothing, render, type TemplateResult } from 'lit';
import { showTest } from '../app';
import { Attempt } from '../attempt';
import { isGerman, sayFrom } from '../labels';
import { de } from '../labels/de';
import { en } from '../labels/en';
import { Events } from '../page/events';
import { answersAsText } from '../shell/dialogs';
import { adoptShellStyle } from '../shell/style';
import { type PackedActivity, WithoutService } from './without-service';

/* The page of an offline package. Browsers load neither modules nor data for a page from a folder. So all files are scripts, which call the functions defined here. */

interface List {
  package: string;
  activities: { reference: string; title: string; file: string }[];
}

const page = document.documentElement;
page.lang ||= isGerman(navigator.language) ? 'de' : 'en';
const say = sayFrom(isGerman(page.lang) ? de : en);
const main = document.getElementById('itembank')!;
let list: List = { package: '', activities: [] };
let learner = '';

/** Shows a page in place of another one, and moves the focus to its heading. */
function show(content: TemplateResult): void {
  const isFirst = !main.hasChildNodes();
  render(content, main);
  if (!isFirst) main.querySelector('h1')?.focus();
}

function choose(): void {
  adoptShellStyle();
  document.title = say('tests');
  const start = (event: SubmitEvent) => {
    event.preventDefault();
    const { submitter, target } = event as SubmitEvent & { submitter: HTMLButtonElement; target: HTMLFormElement };
    learner = (target.elements.namedItem('learner') as HTMLInputElement).value.trim();
    const script = document.createElement('script');
    script.src = submitter.value;
    document.body.append(script);
  };
  show(
    html`<form class="itembank-panel" @submit=${start}>
      <h1 tabindex="-1">${say('tests')}</h1>
      <p>
        <label for="itembank-learner">${say('learner')}</label>
        <input id="itembank-learner" name="learner" required maxlength="255" pattern=".*\\S.*" autocomplete="off" />
      </p>
      ${list.activities.map(
        ({ title, file }) => html`<p><button class="itembank-primary" value=${file}>${title}</button></p>`,
      )}
      ${list.activities.length === 0 ? html`<p>${say('no_tests')}</p>` : nothing}
    </form>`,
  );
}

async function play(packed: PackedActivity): Promise<void> {
  const delivery = new WithoutService(packed, learner, list.package);
  const place = document.createElement('div');
  show(
    html`<h1 tabindex="-1">${packed.activity.name}</h1>
      ${place}`,
  );
  document.title = packed.activity.name;
  const started = await delivery.start();
  if (delivery.isSubmitted) return finished(new Attempt(started, delivery));
  await showTest({
    delivery,
    started,
    events: new Events(),
    isAlone: () => true,
    target: () => place,
    callbacks: {},
    fail: ({ msg, detail }) => render(html`<p role="alert">${msg} ${detail}</p>`, main),
    onleave: choose,
  });
}

/** The page of a test that the learner has finished in this browser. */
function finished(attempt: Attempt): void {
  show(
    html`<div class="itembank-panel">
      <h1 tabindex="-1">${say('finished')}</h1>
      <p>${say('kept_here')}</p>
      ${answersAsText(attempt, say('kept_text'), say)}
      <button type="button" class="itembank-primary" @click=${choose}>${say('close')}</button>
    </div>`,
  );
}

Object.assign(globalThis, {
  ItembankOffline: {
    list(given: List) {
      list = given;
      main.replaceChildren();
      choose();
    },
    play: (packed: PackedActivity) => void play(packed),
  },
});
