// What cannot be projected of a deck: a sentence for each fault, with the slide and its heading.
() => {
  document.body.classList.add("measuring");  // every page laid out at its full size
  const faults = [];
  document.querySelectorAll(".slides > section").forEach((section, number) => {
    const page = section.querySelector(".page");
    const heading = page.querySelector("h1, h2, h3, h4, .running")?.textContent ?? "no heading";
    const fault = what => faults.push(`slide ${number + 1} (${heading}): ${what}`);
    const frame = page.getBoundingClientRect();
    if (frame.width !== 1280 || frame.height !== 720) fault(`the page is ${frame.width} x ${frame.height}`);
    const body = page.querySelector(".body");
    if (body.scrollHeight > body.clientHeight) fault(`${body.scrollHeight - body.clientHeight} pixels too high`);
    if (body.scrollWidth > body.clientWidth) fault(`${body.scrollWidth - body.clientWidth} pixels too wide`);
    if (!page.querySelector("img") && !page.textContent.trim()) fault("nothing is shown");
    const outside = [...page.querySelectorAll("*")].find(element => {
      const box = element.getBoundingClientRect();
      return box.right > frame.right + 1 || box.bottom > frame.bottom + 1 || box.left < frame.left - 1 || box.top < frame.top - 1;
    });
    if (outside) fault(`<${outside.localName}> stands outside the page: ${outside.textContent.slice(0, 60)}`);
    const small = [...page.querySelectorAll("*")].find(element =>
      !element.closest("math *")  // an index is smaller than what it belongs to
      && [...element.childNodes].some(node => node.nodeType === Node.TEXT_NODE && node.data.trim())
      && parseFloat(getComputedStyle(element).fontSize) < 20);
    if (small) fault(`text of ${getComputedStyle(small).fontSize}: ${small.textContent.slice(0, 60)}`);
    for (const image of page.querySelectorAll("img")) {
      const scale = Math.min(image.clientWidth / image.naturalWidth, image.clientHeight / image.naturalHeight);
      const [width, height] = [scale * image.naturalWidth / 1280, scale * image.naturalHeight / 720];
      if (Math.max(width, height) < 0.6) fault(`a figure takes ${Math.round(100 * width)}% x ${Math.round(100 * height)}%`);
      if (!image.alt.trim()) fault("a figure has no text alternative");
    }
    for (const lines of page.querySelectorAll(".code pre")) {
      const count = lines.textContent.split("\n").filter(line => line.trim()).length;
      if (count > 10) fault(`${count} lines of code`);
    }
  });
  document.body.classList.remove("measuring");
  return faults;
}
