// The person's colours, before the first paint: the choice made in the panel on this machine.
try {
  const chosen = localStorage.getItem('anteroom.scheme');
  if (chosen) document.documentElement.dataset.colorScheme = chosen;
} catch {
  // Storage is switched off: follow the machine.
}

/** The queue to try: what a press changes in the list below is all there is. Nothing is sent. */
function startQueue() {
  const m = JSON.parse(document.getElementById('data').textContent);
  const stage = document.getElementById('try');
  const said = document.getElementById('said');
  const looks = {
    WAITING: ['', 'clock', m.waiting],
    INVITED: ['scene-invited', 'send', m.invited],
    REINVITED: ['scene-invited', 'send', m.reinvited],
    GOING: ['scene-going', 'walk', m.onTheWay],
    INSIDE: ['scene-going', 'check', m.done],
  };
  const me = 'Ana Rivera';
  let visits;
  let selected;

  let filling;

  /** The patient fills out the other forms in the car. */
  const fillForms = (visit) => {
    clearInterval(filling);
    filling = setInterval(() => {
      // A button that is drawn again while it is pressed would miss the press.
      if (stage.matches(':active')) return;
      visit.forms += 1;
      if (visit.forms === m.formNames.length) clearInterval(filling);
      draw(document.activeElement?.dataset.key);
    }, 1500);
  };

  const restart = () => {
    clearInterval(filling);
    visits = [
      { name: 'Daniel Moreau', time: '9:33', status: 'WAITING', forms: 4 },
      { name: 'Carmen Ibáñez', time: '9:29', status: 'WAITING', forms: 2 },
      { name: 'Maria Lopez', time: '9:20', status: 'GOING', forms: 4 },
    ];
    selected = 'Daniel Moreau';
  };

  const make = (tag, className, ...children) => {
    const element = document.createElement(tag);
    if (className) element.className = className;
    element.append(...children.filter(Boolean));
    return element;
  };
  const icon = (name, size) => {
    const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
    const use = document.createElementNS('http://www.w3.org/2000/svg', 'use');
    use.setAttribute('href', `#icon-${name}`);
    svg.setAttribute('class', 'icon');
    svg.setAttribute('width', size);
    svg.setAttribute('height', size);
    svg.setAttribute('aria-hidden', 'true');
    svg.append(use);
    return svg;
  };
  /** `key` names a button across drawings, so that it keeps the focus. */
  const button = (key, label, iconName, press, className = 'button filled') => {
    const element = make('button', className, icon(iconName, 16), label);
    element.type = 'button';
    element.dataset.key = key;
    element.addEventListener('click', () => {
      said.textContent = '';
      press();
      draw(key);
    });
    return element;
  };

  /** On a small screen what changes is above or below the button. */
  const show = (part) => requestAnimationFrame(() => stage.querySelector(part).scrollIntoView({ block: 'nearest' }));

  const arrive = () => {
    const visit = { name: me, time: '9:41', status: 'WAITING', forms: 1, isNew: true };
    visits = [visit, ...visits];
    selected = me;
    fillForms(visit);
    said.textContent = m.arrived.replace('{name}', me);
    show('.pane');
  };
  const field = (label, value) => make('span', 'scene-field', make('small', '', label), make('span', '', value));
  const screen = (className, ...children) => make('div', `scene-screen still ${className}`, ...children);
  const mark = (name) => make('span', 'scene-mark', icon(name, 26));

  const phoneScreen = () => {
    const visit = visits.find(({ name }) => name === me);
    const move = (status) => () => (visit.status = status);
    if (!visit)
      return screen(
        '',
        make('strong', '', m.checkIn),
        field(m.name, me),
        field(m.mobile, '(917) 555-0142'),
        button('phone', m.here, 'check', arrive),
      );
    if (visit.status === 'WAITING')
      return screen('calm', mark('car'), make('strong', '', m.checkedIn), make('span', '', m.wait));
    if (visit.status === 'GOING')
      return screen(
        'calm',
        mark('walk'),
        make('strong', '', m.yourWay),
        make('span', '', m.tellUs),
        button('phone', m.imIn, 'check', move('INSIDE')),
      );
    if (visit.status === 'INSIDE')
      return screen('calm', mark('check'), make('strong', '', m.inside), make('span', '', m.insideText));
    return screen(
      'come',
      mark('door'),
      make('strong', '', m.comeIn),
      make('span', '', m.comeInText),
      button('phone', m.onMyWay, 'walk', move('GOING')),
    );
  };

  const badge = (status) =>
    make('span', `scene-badge ${looks[status][0]}`, icon(looks[status][1], 12), looks[status][2]);
  const card = ({ name, time, status, isNew }) => {
    const avatar = make('span', 'scene-avatar', name.replace(/(\S)\S*\s*/g, '$1'));
    avatar.setAttribute('aria-hidden', 'true');
    const element = make(
      'button',
      isNew ? 'scene-row new' : 'scene-row',
      avatar,
      make('span', 'scene-name', name),
      make('small', '', time),
      make('span', 'scene-status', badge(status)),
    );
    element.type = 'button';
    element.dataset.key = name;
    element.setAttribute('aria-pressed', String(name === selected));
    element.addEventListener('click', () => {
      selected = name;
      draw(name);
    });
    return make('li', '', element);
  };

  const detail = () => {
    const visit = visits.find(({ name }) => name === selected);
    if (!visit) return make('div', 'pane', make('p', '', visits.length > 0 ? m.choose : `${m.noOne} ${m.tap}`));
    const call = (status) => () => {
      visit.status = status;
      if (visit.name === me) show('.side-phone');
    };
    const leave = () => {
      visits = visits.filter((other) => other !== visit);
      selected = visits[0]?.name;
    };
    const isWaiting = visit.status === 'WAITING';
    return make(
      'div',
      'pane',
      make('h3', '', visit.name),
      badge(visit.status),
      make('p', '', m.forms.replace('{done}', visit.forms).replace('{all}', m.formNames.length)),
      make(
        'ul',
        'forms',
        ...m.formNames.map((name, i) =>
          make(
            'li',
            i < visit.forms ? 'form-row done' : 'form-row',
            icon('form', 14),
            make('span', '', name),
            i < visit.forms && icon('check', 14),
          ),
        ),
      ),
      make(
        'div',
        'acts',
        isWaiting && button('call', m.invite, 'send', call('INVITED')),
        /INVITED/.test(visit.status) && button('call', m.reinvite, 'send', call('REINVITED'), 'button'),
        !isWaiting && button('leave', m.toHistory, 'check', leave),
      ),
    );
  };

  const draw = (key) => {
    const phone = make('section', 'side-phone', make('h3', '', m.phone), make('div', 'scene-phone', phoneScreen()));
    const list = make('ul', 'scene-list', ...visits.map(card));
    const bar = make('div', 'scene-bar', make('strong', '', m.product), make('span', '', 'Lakeside Medical & Dental'));
    const desk = make('div', 'scene-desk', bar, make('div', 'panes', list, detail()));
    const side = make('section', 'side-desk', make('h3', '', m.desk), desk);
    stage.replaceChildren(phone, side, button('again', m.again, 'redo', restart, 'button'));
    for (const visit of visits) visit.isNew = false;
    if (key === undefined) return;
    const next = stage.querySelector(`[data-key="${key}"]`) ?? stage.querySelector('[data-key="phone"], .pane button');
    next?.focus({ preventScroll: true });
  };

  restart();
  draw();
  stage.hidden = false;
}

addEventListener('DOMContentLoaded', startQueue);
