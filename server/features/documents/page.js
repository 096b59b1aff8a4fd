/* Shows the PDF in the browser's own viewer where it has one and the window has room; else the words stay. */
const viewer = document.getElementById('viewer');
const text = document.getElementById('text');
const asPdf = document.getElementById('as-pdf');
const asText = document.getElementById('as-text');

if (viewer && navigator.pdfViewerEnabled && matchMedia('(min-width: 900px) and (pointer: fine)').matches) {
  const show = (pdf) => {
    if (pdf && !viewer.firstChild) {
      const frame = document.createElement('iframe');
      frame.src = `${viewer.dataset.pdf}#navpanes=0`;
      frame.title = viewer.dataset.title;
      viewer.append(frame);
    }
    viewer.hidden = !pdf;
    text.hidden = pdf;
    asPdf.hidden = pdf;
    asText.hidden = !pdf;
  };
  const press = (pdf) => () => {
    show(pdf);
    (pdf ? asText : asPdf).focus();
  };
  asPdf.addEventListener('click', press(true));
  asText.addEventListener('click', press(false));
  show(true);
}
