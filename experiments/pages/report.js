// Draws the figures and makes the tables sortable; everything it needs stands in the page.

const touch = window.matchMedia("(pointer: coarse)").matches;

function draw(script) {
  const { data, layout } = JSON.parse(script.textContent);
  // A finger on a figure scrolls the page; there the buttons zoom.
  layout.dragmode = touch ? false : "zoom";
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
