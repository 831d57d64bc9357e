// Draws the figures and makes the tables sortable; everything it needs stands in the page.

const touch = window.matchMedia("(pointer: coarse)").matches;
const narrow = window.matchMedia("(max-width: 600px)").matches;
const LETTER = 7.5, LINE = 18; // pixels

// Breaks the title of an axis into lines that fit a narrow screen.
function broken(text, width) {
  const lines = [""];
  for (const word of text.split(" ")) {
    const longer = `${lines.at(-1)} ${word}`.trim();
    if (longer.length * LETTER > width && lines.at(-1)) lines.push(word);
    else lines[lines.length - 1] = longer;
  }
  return lines;
}

// Makes room for titles of horizontal axes that do not fit into one line.
function fitted(place, layout) {
  const axes = Object.keys(layout).filter((key) => key.startsWith("xaxis") && layout[key].title?.text);
  let more = 0;
  for (const key of axes) {
    const [from, to] = layout[key].domain ?? [0, 1];
    const lines = layout[key].title.text.split("<br>").flatMap((text) => broken(text, (to - from) * (place.clientWidth - 40)));
    layout[key].title.text = lines.join("<br>");
    more = Math.max(more, LINE * (lines.length - 1));
  }
  layout.margin.b += more;
  layout.height += more;
  place.style.height = `${layout.height}px`;
}

function draw(script) {
  const { data, layout } = JSON.parse(script.textContent);
  // A finger on a figure scrolls the page; there the buttons zoom.
  layout.dragmode = touch ? false : "zoom";
  if (narrow) fitted(document.getElementById(script.dataset.plot), layout);
  layout.modebar = { orientation: "h", color: "#525252", activecolor: "#1f5f95", bgcolor: "white" };
  return Plotly.newPlot(script.dataset.plot, data, layout, {
    responsive: true,
    displaylogo: false,
    showSendToCloud: false, // newer versions offer to upload a figure
    plotlyServerURL: "",
    displayModeBar: true,
    modeBarButtonsToRemove: ["select2d", "lasso2d"],
  });
}

async function sortable() {
  const text = document.getElementById("tables-library").textContent;
  const url = URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
  const { ITable } = await import(url);
  URL.revokeObjectURL(url);
  for (const table of document.querySelectorAll("table.sortable")) {
    const rows = table.tBodies[0].rows.length;
    new ITable(table, {
      order: [],
      autoWidth: false,
      paging: rows > 25,
      pageLength: 25,
      lengthMenu: [25, 100, 1000],
      layout: {
        topStart: "search",
        topEnd: rows > 25 ? "pageLength" : null,
        bottomStart: "info",
        bottomEnd: rows > 25 ? "paging" : null,
      },
      language: { emptyTable: "nothing to show" },
    });
  }
}

// What tells a reader of the page, and its tests, that everything is there.
Promise.all([...document.querySelectorAll("script[data-plot]")].map(draw).concat(sortable())).then(() => {
  document.documentElement.dataset.ready = "yes";
});
