
// A picture is enlarged in a dialogue that scrolls; Escape, the button or a click on the picture closes it.
const enlarged = document.getElementById("enlarged");
for (const button of document.querySelectorAll(".enlarge")) {
  button.addEventListener("click", () => {
    enlarged.querySelector("div").replaceChildren(button.querySelector("img").cloneNode());
    enlarged.showModal();
  });
}
enlarged.querySelector("div").addEventListener("click", () => enlarged.close());
